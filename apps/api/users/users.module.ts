import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CreditsModule } from '../credits/credits.module';
import { StopDeployment } from '../deployments/stop-deployment';
import { TopUpSwitchModule } from '../payments/automatic/top-up-switch.module';
import { ImpersonationService } from './account-views';
import { ImpersonationController } from './account-views.controller';
import { AdminUsersController } from './admin-users.controller';
import { AdminRoles } from './admin-roles';
import { AdminUsersService } from './admin-users.service';
import { Administrators } from './administrators';
import { CreateAccount } from './create-account';
import { DeactivateAccount } from './deactivate-account';
import { Deactivation } from './deactivation';
import { EraseAccount } from './erase-account';
import { FirstAdminService } from './first-admin.service';
import { NewAccounts } from './new-accounts';
import { UserActivity } from './person-records';
import { UserActivityController } from './person-records.controller';
import { PrepareDeletion } from './prepare-deletion';
import { ReactivateAccount } from './reactivate-account';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [AuthModule, CreditsModule, TopUpSwitchModule],
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
    StopDeployment,
  ],
  exports: [Deactivation],
})
export class UsersModule {}
