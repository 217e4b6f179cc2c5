// SPDX-License-Identifier: Apache-2.0
// What Emscripten writes has no types; native.ts says what is in it.
declare module '*/cfpc-native.mjs' {
  const instantiate: (options: object) => Promise<unknown>;
  export default instantiate;
}
