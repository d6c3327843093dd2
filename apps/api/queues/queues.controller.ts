import { QUEUES_CALLS } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, iso } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ApiSettings } from '../settings';
import { BOARD_PATH, QueueSessions } from './queue-sessions.service';

@Controller()
export class QueuesController {
  constructor(
    private readonly sessions: QueueSessions,
    private readonly settings: ApiSettings,
  ) {}

  @Serve(QUEUES_CALLS.session)
  open({ caller, reply }: CallInput<typeof QUEUES_CALLS.session>) {
    if (this.settings.queues === null) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.queues_absent);
    const { cookie, expiresAt } = this.sessions.open(caller);
    reply.header('set-cookie', cookie);
    return { path: `${BOARD_PATH}/`, expires_at: iso(expiresAt) };
  }
}
