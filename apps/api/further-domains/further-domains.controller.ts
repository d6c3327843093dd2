import { FURTHER_DOMAINS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { FurtherDomains } from './further-domains.service';

type Calls = typeof FURTHER_DOMAINS_CALLS;

@Controller()
export class FurtherDomainsController {
  constructor(private readonly domains: FurtherDomains) {}

  @Serve(FURTHER_DOMAINS_CALLS.list)
  list({ caller, params }: CallInput<Calls['list']>) {
    return this.domains.list({ viewer: caller, id: params.id });
  }

  @Serve(FURTHER_DOMAINS_CALLS.add)
  add({ caller, params, body }: CallInput<Calls['add']>) {
    return this.domains.add({ viewer: caller, id: params.id, host: body.host, reason: body.reason });
  }

  @Serve(FURTHER_DOMAINS_CALLS.remove)
  remove({ caller, params, query }: CallInput<Calls['remove']>) {
    const { id, domain_id: domainId } = params;
    return this.domains.remove({ viewer: caller, id, domainId, reason: query.reason });
  }
}
