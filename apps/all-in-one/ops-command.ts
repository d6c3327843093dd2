import type { Service } from '@moorage/database';
import type { Settings } from '@moorage/runtime';
import type { Log } from '@moorage/server';

export interface OpsContext {
  readonly settings: Settings;
  /** Database URL of the owner, for `db:init` only. */
  readonly databaseUrl: string;
  /** Database URL of a service, for all other commands. */
  readonly urlOf: (service: Service) => Promise<string>;
  readonly log: Log;
  readonly print: (line: string) => void;
}

export interface OpsCommand {
  readonly name: string;
  readonly usage: string;
  readonly what: string;
  run(context: OpsContext, args: readonly string[]): Promise<void>;
}

/** Expected refusal, printed as a message without a stack trace. */
export class OpsRefused extends Error {
  override readonly name = 'OpsRefused';
}
