import { PROVIDERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import { Serve } from '../http/serve';
import { ReadProviders } from './read-providers';

@Controller()
export class ProvidersController {
  constructor(private readonly providers: ReadProviders) {}

  @Serve(PROVIDERS_CALLS.list)
  list() {
    return this.providers.list();
  }
}
