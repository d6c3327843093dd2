import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { UsersModule } from '../users/users.module';
import { Activity } from './activity';
import { AccountController } from './account.controller';
import { ActivityEvents } from './activity.events';
import { Credentials } from './credentials';
import { DeleteAccount } from './delete-account';
import { OwnAccount } from './own-account';
import { Profile } from './profile';
import { Reauthentication } from './reauthentication';
import { SecondFactor } from './second-factor';

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
