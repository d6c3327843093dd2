import { LEAKS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { DecideLeaks } from './decide-leaks.use-case';
import { ReadLeaks } from './read-leaks.use-case';

type Calls = typeof LEAKS_CALLS;

@Controller()
export class LeaksController {
  constructor(
    private readonly leaks: ReadLeaks,
    private readonly decisions: DecideLeaks,
  ) {}

  @Serve(LEAKS_CALLS.list)
  list({ query }: CallInput<Calls['list']>) {
    return this.leaks.page(query);
  }

  @Serve(LEAKS_CALLS.remove)
  remove({ caller, params, body }: CallInput<Calls['remove']>) {
    return this.decisions.decide(caller, params.id, { state: 'removing', reason: body.reason });
  }

  @Serve(LEAKS_CALLS.keep)
  keep({ caller, params, body }: CallInput<Calls['keep']>) {
    return this.decisions.decide(caller, params.id, { state: 'kept', reason: body.reason });
  }

  @Serve(LEAKS_CALLS.adopt)
  adopt({ caller, params, body }: CallInput<Calls['adopt']>) {
    return this.decisions.decide(caller, params.id, { state: 'adopting', reason: body.reason });
  }
}
