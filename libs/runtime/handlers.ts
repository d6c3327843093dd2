import 'reflect-metadata';
import type { EventName, WorkName } from '@moorage/contracts';
import type { EventHandler, WorkHandler, WorkKind } from '@moorage/messaging';
import type { Clock, Log, Tx } from '@moorage/server';
import type { ProductEvent, ProductEventHandlers } from './product-events';

const EVENTS_HANDLED = Symbol('events handled by a method');
const WORK_HANDLED = Symbol('work done by a method');

/** A decorator of methods that can be called as `T`. */
type Method<T> = (target: object, name: string, method: { readonly value?: T }) => void;

/**
 * Declares that the method handles these events for its service, in the transaction that marks them as handled. If
 * several methods handle the same event, all of them run one after the other in that transaction.
 */
export function OnEvent<Name extends EventName>(
  ...names: readonly Name[]
): Method<(tx: Tx, event: ProductEvent<Name>) => Promise<void>> {
  return (_target, _name, { value }) => Reflect.defineMetadata(EVENTS_HANDLED, names, value ?? {});
}

/**
 * Declares that the method runs one step of work of this kind.
 *
 * @param options `concurrency` is the maximum number of concurrent steps in a process.
 */
export function HandlesWork(kind: WorkName, { concurrency }: { concurrency: number }): Method<WorkHandler> {
  return (_target, _name, { value }) => Reflect.defineMetadata(WORK_HANDLED, { kind, concurrency }, value ?? {});
}

/** Event handlers and kinds of work of a service. */
export interface Handlers {
  readonly handlers: ProductEventHandlers;
  readonly work: Readonly<Record<string, WorkKind>>;
}

/**
 * Collects the methods of these objects that `OnEvent` and `HandlesWork` mark.
 *
 * @throws Error when two methods handle the same kind of work.
 */
export function handlersOf(instances: readonly object[]): Handlers {
  const byEvent = new Map<EventName, EventHandler<object>[]>();
  const work: Record<string, WorkKind> = {};
  for (const instance of instances)
    for (const method of methodsOf(instance)) {
      for (const name of (Reflect.getMetadata(EVENTS_HANDLED, method) as readonly EventName[] | undefined) ?? [])
        byEvent.set(name, [...(byEvent.get(name) ?? []), method.bind(instance) as EventHandler<object>]);
      const done = Reflect.getMetadata(WORK_HANDLED, method) as { kind: string; concurrency: number } | undefined;
      if (done === undefined) continue;
      if (work[done.kind] !== undefined) throw new Error(`two methods handle ${done.kind}`);
      work[done.kind] = {
        concurrency: done.concurrency,
        run: method.bind(instance) as WorkHandler,
      };
    }
  const handlers = [...byEvent].map(([name, all]): [EventName, EventHandler<object>] => [
    name,
    async (tx, event) => {
      for (const handle of all) await handle(tx, event);
    },
  ]);
  return { handlers: Object.fromEntries(handlers), work };
}

/** Wraps handlers so that each event is logged once its effects are stored. */
export function logged(
  handlers: ProductEventHandlers,
  { log, clock }: { log: Log; clock: Clock },
): ProductEventHandlers {
  const entries = Object.entries(handlers) as [EventName, EventHandler<object>][];
  return Object.fromEntries(
    entries.map(([event_name, handle]): [EventName, EventHandler<object>] => [
      event_name,
      async (tx, event) => {
        const began = clock.localNow();
        await handle(tx, event);
        const ms = clock.localNow() - began;
        tx.afterCommit(() => log.info('event handled', { event_name, aggregate_id: event.aggregate_id, ms }));
      },
    ]),
  );
}

type AnyMethod = (this: object, ...parameters: never[]) => unknown;

/** Returns own and inherited methods, without calling getters. */
function methodsOf(instance: object): AnyMethod[] {
  const methods = new Map<string, AnyMethod>();
  for (
    let from: object | null = instance;
    from !== null && from !== Object.prototype;
    from = Object.getPrototypeOf(from) as object | null
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (typeof value === 'function' && name !== 'constructor' && !methods.has(name))
        methods.set(name, value as AnyMethod);
  return [...methods.values()];
}
