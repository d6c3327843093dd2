import type { Deployments } from '@moorage/database';
import type { Ledger } from '@moorage/ledger';
import type { Notices, Outbox, WorkHandler, WorkSchedule } from '@moorage/messaging';
import { type ProductEventHandlers } from '@moorage/runtime';
import type { Clock, Db, Log, Random, SealBox, Secrets } from '@moorage/server';
import type { Provider, Type } from '@nestjs/common';
import type { ApiSettings } from './settings';

/** Everything outside that the api is built from. */
export interface ApiDeps {
  /** Opened with the api's role. */
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: ApiSettings;
  /** A `correlatedOutbox`, the same one that `ledger` and `deployments` were built with. */
  readonly outbox: Outbox;
  readonly work: WorkSchedule;
  readonly notices: Notices;
  readonly ledger: Ledger;
  readonly deployments: Deployments;
  readonly secrets: Secrets;
  readonly box: SealBox;
}

/** One folder of the api: what it serves, what it reacts to, what it does later. */
export interface Feature {
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
  /** Reactions to events. Where several features react to one event all of them run, in the transaction that marks it. */
  readonly handlers?: ProductEventHandlers;
  /** Kinds of work it does. */
  readonly work?: Readonly<Record<string, WorkHandler>>;
  /** Loops and connections of its own; the returned function ends them. */
  readonly start?: () => Promise<() => Promise<void>>;
}
