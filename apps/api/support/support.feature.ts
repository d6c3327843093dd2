import { SUPPORT_CALLS } from '@moorage/contracts';
import { DomainError } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { Authenticator } from '../http/access.guard';
import type { Caller, CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import type { Mails } from '../mail/mails';
import { createSupport, type Support } from './support';

const SUPPORT = Symbol('support');
const AUTHENTICATOR = Symbol('authenticator of support');
type Calls = typeof SUPPORT_CALLS;

@Controller()
export class SupportController {
  constructor(
    @Inject(SUPPORT) private readonly support: Support,
    @Inject(AUTHENTICATOR) private readonly authenticator: Authenticator,
  ) {}

  @Serve(SUPPORT_CALLS.packageRequest)
  packageRequest({ body, caller, origin }: CallInput<Calls['packageRequest']>) {
    return this.support.requestPackage(body, { caller, origin });
  }

  @Serve(SUPPORT_CALLS.contact)
  async contact({ body, origin, header }: CallInput<Calls['contact']>) {
    const authorization = header('authorization');
    const bearer = { headers: { authorization } };
    const caller = authorization === undefined ? null : await this.authenticator.callerOf(bearer).catch(visitor);
    return this.support.contact(body, { caller, origin });
  }
}

/** An ended session writes like anybody else. */
function visitor(error: unknown): Caller | null {
  if (error instanceof DomainError) return null;
  throw error;
}

export function createSupportFeature(
  deps: ApiDeps,
  { mails, authenticator }: { mails: Mails; authenticator: Authenticator },
): Feature {
  const support = createSupport(deps, { mails });
  return {
    controllers: [SupportController],
    providers: [
      { provide: SUPPORT, useValue: support },
      { provide: AUTHENTICATOR, useValue: authenticator },
    ],
    handlers: { 'support.message_received': support.forward },
  };
}
