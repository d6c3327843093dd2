import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModuleOptions, type IAuthModuleOptions } from '@nestjs/passport';
import { CreditsModule } from '../credits/credits.module';
import { AccessGuard } from './access.guard';
import { AuthController } from './auth.controller';
import { AuthSchedule } from './auth.schedule';
import { AuthService } from './auth.service';
import { Callers } from './callers.service';
import { EmailVerification } from './email-verification.service';
import { KnownNetworks } from './known-networks.repository';
import { LoginLimits } from './login-limits.policy';
import { PasswordReset } from './password-reset.service';
import { Passwords } from './passwords.service';
import { RefusedCodes } from './refused-codes.service';
import { SecurityEvents } from './security-events.service';
import { Sessions } from './sessions.service';
import { LoginHistory } from './login-history.service';
import { ApiTokenStrategy, SessionStrategy } from './strategies';
import { TokenNetworks } from './token-networks.repository';
import { TwoFactor } from './two-factor.service';
import { UserTokens } from './user-tokens.service';
import { ImpersonationSessions } from './impersonation-sessions.service';

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
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [
    AuthModuleOptions,
    Callers,
    LoginLimits,
    Passwords,
    RefusedCodes,
    SecurityEvents,
    Sessions,
    LoginHistory,
    TwoFactor,
    UserTokens,
    ImpersonationSessions,
  ],
})
export class AuthModule {}
