import { Module } from '@nestjs/common';
import { AuthModuleOptions, type IAuthModuleOptions } from '@nestjs/passport';
import { CreditsModule } from '../credits/credits.module';
import { AuthController } from './auth.controller';
import { AuthSchedule } from './auth.schedule';
import { AuthService } from './auth.service';
import { Callers } from './callers';
import { EmailVerification } from './email-verification';
import { KnownNetworks } from './known-networks';
import { LoginLimits } from './login-limits';
import { PasswordReset } from './password-reset';
import { Passwords } from './passwords';
import { RefusedCodes } from './refused-codes';
import { SecurityEvents } from './security-events';
import { SecurityMails } from './security-mails';
import { Sessions } from './sessions';
import { LoginHistory } from './sign-ins';
import { ApiTokenStrategy, SessionStrategy } from './strategies';
import { TokenNetworks } from './token-networks';
import { TwoFactor } from './two-factor';
import { UserTokens } from './user-tokens';
import { ImpersonationSessions } from './views';

@Module({
  imports: [CreditsModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    EmailVerification,
    PasswordReset,
    AuthSchedule,
    KnownNetworks,
    LoginLimits,
    Passwords,
    RefusedCodes,
    SecurityEvents,
    SecurityMails,
    Sessions,
    LoginHistory,
    TokenNetworks,
    TwoFactor,
    UserTokens,
    ImpersonationSessions,
    Callers,
    SessionStrategy,
    ApiTokenStrategy,
    {
      provide: AuthModuleOptions,
      inject: [SessionStrategy, ApiTokenStrategy],
      useFactory: (session: SessionStrategy, apiToken: ApiTokenStrategy): IAuthModuleOptions => ({
        defaultStrategy: [session.name, apiToken.name],
        session: false,
      }),
    },
  ],
  exports: [
    AuthModuleOptions,
    Callers,
    LoginLimits,
    Passwords,
    RefusedCodes,
    SecurityEvents,
    SecurityMails,
    Sessions,
    LoginHistory,
    TwoFactor,
    UserTokens,
    ImpersonationSessions,
  ],
})
export class AuthModule {}
