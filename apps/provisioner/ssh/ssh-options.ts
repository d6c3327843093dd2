import type { Patience } from './connection';

/** What an installation or a test decides about SSH. */
export abstract class SshOptions {
  /** When a silent host counts as gone. */
  abstract readonly patience: Patience;
}
