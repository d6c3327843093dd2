import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CreditsModule } from '../credits/credits.module';
import { DeploymentsModule } from '../deployments/deployments.module';
import { TopUpSwitchModule } from '../top-up-switch/top-up-switch.module';
import { ImpersonationService } from './impersonation.service';
import { ImpersonationController } from './impersonation.controller';
import { AdminUsersController } from './admin-users.controller';
import { AdminRoles } from './admin-roles.service';
import { AdminUsersService } from './admin-users.service';
import { Administrators } from './administrators.service';
import { CreateAccount } from './create-account.use-case';
import { DeactivateAccount } from './deactivate-account.use-case';
import { Deactivation } from './deactivation.policy';
import { EraseAccount } from './erase-account.use-case';
import { FirstAdminService } from './first-admin.service';
import { NewAccounts } from './new-accounts.repository';
import { UserActivity } from './user-activity.service';
import { UserActivityController } from './user-activity.controller';
import { PrepareDeletion } from './prepare-deletion.use-case';
import { ReactivateAccount } from './reactivate-account.use-case';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [AuthModule, CreditsModule, DeploymentsModule, TopUpSwitchModule],
  controllers: [UsersController, AdminUsersController, ImpersonationController, UserActivityController],
  providers: [
    UsersService,
    ImpersonationService,
    AdminUsersService,
    Administrators,
    AdminRoles,
    CreateAccount,
    DeactivateAccount,
    Deactivation,
    EraseAccount,
    FirstAdminService,
    NewAccounts,
    UserActivity,
    PrepareDeletion,
    ReactivateAccount,
  ],
  exports: [Deactivation],
})
export class UsersModule {}
