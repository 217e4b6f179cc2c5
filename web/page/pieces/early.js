// SPDX-License-Identifier: Apache-2.0
// early: before anything is drawn: the theme that was chosen, and whether this browser can run the page.
// Written for any browser of the last twenty years: it has to run where the rest cannot.
(function () {
  var root = document.documentElement;
  var why = '';
  var remedy = '';
  root.className += ' js';

  function fallBack(cause, help) {
    if (why) return;
    why = cause;
    remedy = help;
    root.className += ' static-only';
    show();
  }
  function show() {
    var line = document.getElementById('fallback');
    if (!line || !why) return;
    var so = document.getElementById('lab')
      ? 'the lab cannot run; the essay has static figures'
      : 'the figures are static';
    line.removeAttribute('hidden');
    line.textContent = why + ', so ' + so + '. ' + remedy;
  }
  function lacks(what) {
    fallBack('This browser lacks ' + what, 'Any browser from 2022 or later runs this page.');
  }

  try {
    var theme = localStorage.getItem('cfpc-theme');
    if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme);
  } catch (forbidden) {
    // Storage may be forbidden: the system's preference holds.
  }

  if (location.protocol === 'file:') {
    fallBack(
      'This page was opened as a file, and browsers do not let a file start computations',
      'Serve the folder, for example with "python3 -m http.server", and open the address that it prints.',
    );
  } else if (typeof WebAssembly !== 'object') lacks('WebAssembly');
  else if (!('noModule' in document.createElement('script'))) lacks('JavaScript modules');
  else if (typeof Worker !== 'function') lacks('web workers');
  else if (typeof IntersectionObserver !== 'function' || typeof ResizeObserver !== 'function')
    lacks('observers of its layout');

  // A script of ours that cannot be parsed needs a newer browser; one that cannot be loaded, a network.
  window.addEventListener(
    'error',
    function (event) {
      if (event.target && event.target.tagName === 'SCRIPT') {
        fallBack('A part of this page could not be loaded', 'Load the page again.');
      } else if (/SyntaxError/.test(event.message || '')) lacks('a part of JavaScript');
    },
    true,
  );
  document.addEventListener('DOMContentLoaded', show);
})();
