import Sequencer from '@jest/test-sequencer';

/** Specs with random examples and whole scenarios. A mutation that a quick spec detects does not reach them. */
const SLOW = ['/invariants.property.spec.', '/forecast.spec.', '/golden-rules.spec.', '/golden-replay.spec.'];

/** Runs quick specs first. */
export default class QuickFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => SLOW.findIndex((name) => path.includes(name));
    return [...tests].sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
  }
}
