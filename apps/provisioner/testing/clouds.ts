/** Exports of the live clouds and their fakes for end-to-end tests. */
export { type Cloud } from '../clouds/cloud';
export { openLiveCloud } from '../clouds/live/live-clouds';
export { type CloudTraits, cloudSuite, type SuiteFault } from './cloud.suite';
export { EVERY_FAKE, LIVE_NAMES } from './fake-clouds/every-fake';
export { fakeHetzner } from './fake-clouds/fake-hetzner';
export type { FakeCloud } from './fake-clouds/fake-http';
export type { FakeServer } from './fake-clouds/fleet';
export { fixtureClock } from './fixture-clock';
