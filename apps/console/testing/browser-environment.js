import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom hides what Node and every browser have; react-router and our own fetch need it. */
const WEB = [
  'TextEncoder',
  'TextDecoder',
  'structuredClone',
  'fetch',
  'Headers',
  'Request',
  'Response',
  'ReadableStream',
  'TransformStream',
  'BroadcastChannel',
];

export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of WEB) this.global[name] ??= globalThis[name];
    this.global.scrollTo = () => undefined;
    this.global.matchMedia ??= (query) => ({
      matches: /min-width/.test(query),
      media: query,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
    });
  }
}
