import { SUPPORT_CALLS } from '@moorage/contracts';
import { acceptedLanguage } from '@moorage/domain';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { SupportService } from './support.service';

type Calls = typeof SUPPORT_CALLS;

@Controller()
export class SupportController {
  constructor(private readonly support: SupportService) {}

  @Serve(SUPPORT_CALLS.packageRequest)
  packageRequest({ body, caller, origin, header }: CallInput<Calls['packageRequest']>) {
    return this.support.requestPackage(body, { caller, origin, language: acceptedLanguage(header('accept-language')) });
  }

  @Serve(SUPPORT_CALLS.contact)
  contact({ body, caller, origin, header }: CallInput<Calls['contact']>) {
    return this.support.contact(body, { caller, origin, language: acceptedLanguage(header('accept-language')) });
  }
}
