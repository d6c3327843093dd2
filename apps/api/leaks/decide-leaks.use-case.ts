import { DECIDE_LEAK_WORK, type LeakAnswer } from '@moorage/contracts';
import { type AuditAction, auditLog, decideLeak, holdingOwners, lockLeak } from '@moorage/database';
import { DomainError, isAdoptable, LEAK_MESSAGES, type Message } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { ReadLeaks } from './read-leaks.use-case';

const ACTIONS: Readonly<Record<'removing' | 'adopting' | 'kept', AuditAction>> = {
  removing: 'leak.removal_requested',
  adopting: 'leak.adoption_requested',
  kept: 'leak.kept',
};

/** Records decisions of administrators about leaks. The provisioner carries them out. */
@Injectable()
export class DecideLeaks {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
    private readonly leaks: ReadLeaks,
  ) {}

  /**
   * Records a decision. Throws LEAK_STATE before the second check, and after a decision. A leak that was retained can
   * be removed later.
   */
  decide(
    caller: Caller,
    id: number,
    { state, reason }: { state: 'removing' | 'adopting' | 'kept'; reason: string },
  ): Promise<LeakAnswer> {
    return this.db.tx('leaks.decide', async (tx) => {
      const leak = await lockLeak(tx, id);
      if (leak === null) throw new DomainError('NOT_FOUND', LEAK_MESSAGES.unknown);
      if (leak.state === 'suspected') throw conflict(LEAK_MESSAGES.suspected);
      if (leak.state !== 'confirmed' && !(leak.state === 'kept' && state === 'removing'))
        throw conflict(LEAK_MESSAGES.decided);
      const { deployment: ref = '' } = leak.labels;
      if (state === 'adopting' && !isAdoptable(leak, (await holdingOwners(tx, [ref])).get(ref) ?? null))
        throw conflict(LEAK_MESSAGES.not_adoptable);
      const at = await this.clock.now(tx);
      await decideLeak(tx, id, { state, by: caller.username, reason, at });
      await auditLog.record(tx, {
        actor: caller.userId,
        action: ACTIONS[state],
        subject: `leak:${id}`,
        facts: { provider: leak.provider, kind: leak.kind, region: leak.region, id: leak.holding_id, reason },
        at,
      });
      if (state !== 'kept') await this.work.schedule(tx, { kind: DECIDE_LEAK_WORK, key: String(id), due_at: at });
      const decided = await lockLeak(tx, id);
      const [answer] = await this.leaks.answers(tx, decided === null ? [] : [decided]);
      if (answer === undefined) throw new DomainError('NOT_FOUND', LEAK_MESSAGES.unknown);
      return answer;
    });
  }
}

const conflict = (message: Message): DomainError => new DomainError('LEAK_STATE', message);
