import { Module } from '@nestjs/common';
import { AuthModuleOptions, type IAuthModuleOptions } from '@nestjs/passport';
import { AuthController } from './auth.controller';
import { AuthSchedule } from './auth.schedule';
import { AuthService } from './auth.service';
import { Callers } from './callers';
import { EmailVerification } from './email-verification';
import { KnownNetworks } from './known-networks';
import { LoginLimits } from './login-limits';
import { PasswordReset } from './password-reset';
import { Passwords } from './passwords';
import { ReferralCredits } from './referral-credits';
import { Sessions } from './sessions';
import { ApiTokenStrategy, SessionStrategy } from './strategies';
import { UserTokens } from './user-tokens';

@Module({
  controllers: [AuthController],
  providers: [
    AuthService,
    EmailVerification,
    PasswordReset,
    AuthSchedule,
    KnownNetworks,
    LoginLimits,
    Passwords,
    ReferralCredits,
    Sessions,
    UserTokens,
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
  exports: [AuthModuleOptions, Callers, Passwords, Sessions, UserTokens],
})
export class AuthModule {}
