import type { Service } from '@moorage/database';
import type { Settings } from '@moorage/runtime';
import type { Log } from '@moorage/server';

export interface OpsContext {
  readonly settings: Settings;
  /** The database as its owner: for `db:init` alone. */
  readonly databaseUrl: string;
  /** The login of a service, for everything else. */
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

/** A refusal that is no fault: said as a sentence. */
export class OpsRefused extends Error {
  override readonly name = 'OpsRefused';
}
