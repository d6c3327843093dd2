import { AUTH_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { AuthService } from './auth.service';
import { EmailVerification } from './email-verification.service';
import { PasswordReset } from './password-reset.service';

@Controller()
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly emailVerification: EmailVerification,
    private readonly passwordReset: PasswordReset,
  ) {}

  @Serve(AUTH_CALLS.login)
  login({ body, origin }: CallInput<typeof AUTH_CALLS.login>) {
    return this.auth.login(body, origin);
  }

  @Serve(AUTH_CALLS.logout)
  logout({ caller }: CallInput<typeof AUTH_CALLS.logout>) {
    return this.auth.logout(caller);
  }

  @Serve(AUTH_CALLS.me)
  me({ caller }: CallInput<typeof AUTH_CALLS.me>) {
    return this.auth.me(caller);
  }

  @Serve(AUTH_CALLS.confirmEmail)
  confirmEmail({ body }: CallInput<typeof AUTH_CALLS.confirmEmail>) {
    return this.emailVerification.verify(body.token);
  }

  @Serve(AUTH_CALLS.verifyEmail)
  verifyEmail({ query }: CallInput<typeof AUTH_CALLS.verifyEmail>) {
    return this.emailVerification.verify(query.token);
  }

  @Serve(AUTH_CALLS.forgotPassword)
  forgotPassword({ body }: CallInput<typeof AUTH_CALLS.forgotPassword>) {
    return this.passwordReset.request(body.email);
  }

  @Serve(AUTH_CALLS.resetPassword)
  resetPassword({ body, origin }: CallInput<typeof AUTH_CALLS.resetPassword>) {
    return this.passwordReset.reset(body, origin);
  }
}
