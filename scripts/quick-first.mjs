import Sequencer from '@jest/test-sequencer';

/** Specs of random examples and of whole scenarios: a mutation that an example notices is not shown to them. */
const SLOW = ['/laws.spec.', '/forecast.spec.', '/golden-rules.spec.', '/golden-replay.spec.'];

/** Quick specs first. */
export default class QuickFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => SLOW.findIndex((name) => path.includes(name));
    return [...tests].sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
  }
}
