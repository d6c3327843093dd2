import type { Patience } from './connection';

/** Settings of an installation or a test for SSH. */
export abstract class SshOptions {
  /** Determines when a silent host counts as gone. */
  abstract readonly patience: Patience;
}
