/** Exports of the live clouds and their fakes for end-to-end tests. */
export { type Cloud } from '../clouds/cloud';
export { openLiveCloud } from '../clouds/live/live-clouds';
export { type CloudTraits, cloudSuite, type SuiteFault } from './cloud.suite';
export { fakeAzure } from './fake-clouds/fake-azure';
export { fakeDigitalOcean } from './fake-clouds/fake-digitalocean';
export { fakeEc2 } from './fake-clouds/fake-ec2';
export { fakeGcp } from './fake-clouds/fake-gcp';
export { fakeHetzner } from './fake-clouds/fake-hetzner';
export { type FakeCloud, PLAIN_FAULTS } from './fake-clouds/fake-http';
export { fakeLinode } from './fake-clouds/fake-linode';
export { fakeVultr } from './fake-clouds/fake-vultr';
export type { FakeServer, FleetOptions } from './fake-clouds/fleet';
export { fixtureClock } from './fixture-clock';
