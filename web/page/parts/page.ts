// SPDX-License-Identifier: Apache-2.0
// page: what both pages do first: the button for the theme, and the copy for use without a network.
import { say } from './say';
import { themeButton } from './theme';

/** A new build is kept beside the old one until no open page needs that any more. */
async function keepOffline(): Promise<void> {
  const kept = await navigator.serviceWorker.register(new URL('offline.js', document.baseURI));
  kept.addEventListener('updatefound', () => {
    const next = kept.installing;
    next?.addEventListener('statechange', () => {
      if (next.state !== 'installed' || !navigator.serviceWorker.controller) return;
      say('A new version of this page is ready: it is used after you load the page again.');
    });
  });
}

/** false: this browser cannot run the page; early.js has said so, and the static figures stay. */
export function startPage(): boolean {
  const button = document.getElementById('theme');
  if (button) {
    button.hidden = false;
    themeButton(button);
  }
  if (document.documentElement.classList.contains('static-only')) return false;
  // After the first figures: they should not share the network with it.
  if ('serviceWorker' in navigator) {
    addEventListener('load', () => setTimeout(() => keepOffline().catch(() => undefined), 1000));
  }
  return true;
}
