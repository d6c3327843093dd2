import { TestEnvironment } from 'jest-environment-jsdom';

/** APIs of Node and all browsers that jsdom lacks but react-router and our own fetch need. */
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

/** Start time of every spec, equal to the date of the fixtures. `jest.useFakeTimers()` starts here too. */
const START = Date.parse('2026-11-21T14:18:48Z');

export default class BrowserEnvironment extends TestEnvironment {
  constructor({ projectConfig, ...config }, context) {
    super(
      { ...config, projectConfig: { ...projectConfig, fakeTimers: { ...projectConfig.fakeTimers, now: START } } },
      context,
    );
  }

  async setup() {
    await super.setup();
    this.global.Date = startingAt(START, this.global.Date);
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

/** Returns a `Date` that continues from there, because code that waits by comparing dates needs a moving clock. */
function startingAt(start, Machine) {
  const ahead = start - Machine.now();
  const now = () => Machine.now() + ahead;
  return new Proxy(Machine, {
    construct: (target, args, constructor) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, constructor),
    get: (target, key) => (key === 'now' ? now : target[key]),
  });
}
