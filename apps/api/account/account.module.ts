import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { UsersModule } from '../users/users.module';
import { Activity } from './activity.service';
import { AccountController } from './account.controller';
import { ActivityEvents } from './activity.events';
import { Credentials } from './credentials.service';
import { DeleteAccount } from './delete-account.use-case';
import { OwnAccount } from './own-account.service';
import { Profile } from './profile.service';
import { Reauthentication } from './reauthentication.service';
import { SecondFactor } from './second-factor.service';

/** Calls with which users manage their own account. */
@Module({
  imports: [AuthModule, UsersModule],
  controllers: [AccountController],
  providers: [
    Activity,
    ActivityEvents,
    Credentials,
    DeleteAccount,
    OwnAccount,
    Profile,
    Reauthentication,
    SecondFactor,
  ],
})
export class AccountModule {}
