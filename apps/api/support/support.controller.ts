import { SUPPORT_CALLS } from '@moorage/contracts';
import { DomainError } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import { Authenticator } from '../http/authenticator';
import type { Caller, CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { SupportService } from './support.service';

type Calls = typeof SUPPORT_CALLS;

@Controller()
export class SupportController {
  constructor(
    private readonly support: SupportService,
    private readonly authenticator: Authenticator,
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

/** Without a valid session the message is a visitor's. */
function visitor(error: unknown): Caller | null {
  if (error instanceof DomainError) return null;
  throw error;
}
