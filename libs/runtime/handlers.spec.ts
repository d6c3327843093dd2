import { describe, expect, it } from '@jest/globals';
import { SILENT, systemClock, type Tx } from '@moorage/server';
import { HandlesWork, handlersOf, logged, OnEvent } from './handlers';
import type { ProductEvent } from './product-events';

const tx = {} as Tx;
const verified = { event_name: 'user.verified', data: { user_id: 7 } } as ProductEvent<'user.verified'>;

class Reacts {
  readonly seen: string[] = [];

  constructor(private readonly name: string) {}

  get whatever(): string {
    throw new Error('a getter is not called');
  }

  @OnEvent('user.verified', 'user.registered')
  async note(_: Tx, { data }: ProductEvent<'user.verified' | 'user.registered'>): Promise<void> {
    this.seen.push(`${this.name} ${data.user_id}`);
  }

  @HandlesWork('run', { concurrency: 3 })
  async run() {
    return { failed: this.name };
  }
}

class ReactsToo extends Reacts {
  override async run() {
    return { failed: 'overridden' };
  }
}

describe('decorated handlers', () => {
  it('are found on objects and their classes, and called as methods', async () => {
    const one = new Reacts('one');
    const { handlers, work } = handlersOf([one, {}]);
    await handlers['user.verified']?.(tx, verified);
    expect(one.seen).toEqual(['one 7']);
    expect(Object.keys(handlers)).toEqual(['user.verified', 'user.registered']);
    expect(work.run?.concurrency).toBe(3);
    const claim = { kind: 'run', key: '1', fencingToken: 1, attempts: 0 };
    expect(await work.run?.run(claim, new AbortController().signal)).toEqual({ failed: 'one' });
  });

  it('all handle the same event in one transaction', async () => {
    const [one, two] = [new ReactsToo('one'), new ReactsToo('two')];
    await handlersOf([one, two]).handlers['user.verified']?.(tx, verified);
    expect([one.seen, two.seen]).toEqual([['one 7'], ['two 7']]);
  });

  it('are logged once their changes are stored', async () => {
    const lines: unknown[] = [];
    const log = { ...SILENT, info: (message: string, facts?: object) => void lines.push({ message, ...facts }) };
    const { handlers } = handlersOf([new Reacts('one')]);
    let commit: () => unknown = () => undefined;
    const open = { afterCommit: (run: () => unknown) => (commit = run) } as unknown as Tx;
    await logged(handlers, { log, clock: systemClock() })['user.verified']?.(open, { ...verified, aggregate_id: '7' });
    expect(lines).toEqual([]);
    commit();
    const ms = expect.any(Number);
    expect(lines).toEqual([{ message: 'event handled', event_name: 'user.verified', aggregate_id: '7', ms }]);
  });

  it('are not inherited by an overriding method', () => {
    expect(handlersOf([new ReactsToo('one')]).work).toEqual({});
  });

  it('reject a second handler for one kind of work', () => {
    expect(() => handlersOf([new Reacts('one'), new Reacts('two')])).toThrow('two methods handle run');
  });
});
