import { Module } from '@nestjs/common';
import { Authenticator } from '../http/authenticator';
import { AuthController } from './auth.controller';
import { AuthSchedule } from './auth.schedule';
import { AuthService } from './auth.service';
import { EmailVerification } from './email-verification';
import { KnownNetworks } from './known-networks';
import { LoginLimits } from './login-limits';
import { PasswordReset } from './password-reset';
import { Passwords } from './passwords';
import { ReferralCredits } from './referral-credits';
import { Sessions } from './sessions';
import { TokenAuthenticator } from './token-authenticator';
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
    { provide: Authenticator, useClass: TokenAuthenticator },
  ],
  exports: [Authenticator, Passwords, Sessions, UserTokens],
})
export class AuthModule {}
