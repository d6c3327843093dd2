import { OWNER_RECORDS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { CreateRecords } from './create-records.use-case';
import { ReadDnsProvider } from './read-dns-provider.use-case';

type Calls = typeof OWNER_RECORDS_CALLS;

@Controller()
export class OwnerRecordsController {
  constructor(
    private readonly providers: ReadDnsProvider,
    private readonly records: CreateRecords,
  ) {}

  @Serve(OWNER_RECORDS_CALLS.provider)
  provider({ caller, params, query }: CallInput<Calls['provider']>) {
    return this.providers.run({ viewer: caller, id: params.id, domain: query.domain ?? null });
  }

  @Serve(OWNER_RECORDS_CALLS.create)
  create({ caller, params, body }: CallInput<Calls['create']>) {
    return this.records.run({ caller, id: params.id, input: body });
  }
}
