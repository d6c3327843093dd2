/** Exports of the live clouds and their fakes for end-to-end tests. */
export { type Cloud } from '@moorage/provisioner/clouds/cloud';
export { openLiveCloud } from '@moorage/provisioner/clouds/live/live-clouds';
export { type CloudTraits, cloudSuite, type SuiteFault } from '../../suites/cloud.suite';
export { EVERY_FAKE, LIVE_NAMES } from '../../fakes/clouds/every-fake';
export { fakeHetzner } from '../../fakes/clouds/fake-hetzner';
export type { FakeCloud } from '../../fakes/clouds/fake-http';
export type { FakeServer } from '../../fakes/clouds/fleet';
export { fixtureClock } from './fixture-clock';
