import { PROVIDERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { ChangeProviders } from './change-providers.use-case';
import { ReadProviders } from './read-providers.use-case';

type Calls = typeof PROVIDERS_CALLS;

@Controller()
export class ProvidersController {
  constructor(
    private readonly providers: ReadProviders,
    private readonly changes: ChangeProviders,
  ) {}

  @Serve(PROVIDERS_CALLS.list)
  list() {
    return this.providers.list();
  }

  @Serve(PROVIDERS_CALLS.check)
  check({ params }: CallInput<Calls['check']>) {
    return this.changes.check(params.provider);
  }

  @Serve(PROVIDERS_CALLS.confirm)
  confirm({ caller, params, body }: CallInput<Calls['confirm']>) {
    return this.changes.confirm({ caller, provider: params.provider }, body.project_id);
  }

  @Serve(PROVIDERS_CALLS.enterCredentials)
  enterCredentials({ caller, params, body }: CallInput<Calls['enterCredentials']>) {
    return this.changes.enterCredentials({ caller, provider: params.provider }, body.values);
  }

  @Serve(PROVIDERS_CALLS.removeCredentials)
  removeCredentials({ caller, params }: CallInput<Calls['removeCredentials']>) {
    return this.changes.removeCredentials({ caller, provider: params.provider });
  }
}
