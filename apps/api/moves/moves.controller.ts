import { MOVES_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { EndMove } from './end-move.use-case';
import { StartMove } from './start-move.use-case';

type Calls = typeof MOVES_CALLS;

@Controller()
export class MovesController {
  constructor(
    private readonly starting: StartMove,
    private readonly ending: EndMove,
  ) {}

  @Serve(MOVES_CALLS.move)
  move({ caller, params, body, idempotencyKey: key }: CallInput<Calls['move']>) {
    return this.starting.move({ caller, id: params.id, body, key });
  }

  @Serve(MOVES_CALLS.clone)
  clone({ caller, params, body, idempotencyKey: key }: CallInput<Calls['clone']>) {
    return this.starting.clone({ caller, id: params.id, body, key });
  }

  @Serve(MOVES_CALLS.finish)
  finish({ caller, params, idempotencyKey: key }: CallInput<Calls['finish']>) {
    return this.ending.finish({ userId: caller.userId, id: params.id, key });
  }

  @Serve(MOVES_CALLS.cancel)
  cancel({ caller, params, idempotencyKey: key }: CallInput<Calls['cancel']>) {
    return this.ending.cancel({ userId: caller.userId, id: params.id, key });
  }
}
