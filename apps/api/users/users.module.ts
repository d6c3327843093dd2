import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { AccountViews } from './account-views';
import { AccountViewsController } from './account-views.controller';
import { AdminUsersController } from './admin-users.controller';
import { AdminUsersService } from './admin-users.service';
import { Deactivation } from './deactivation';
import { FirstAdminService } from './first-admin.service';
import { NewAccounts } from './new-accounts';
import { PersonRecords } from './person-records';
import { PersonRecordsController } from './person-records.controller';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [AuthModule],
  controllers: [UsersController, AdminUsersController, AccountViewsController, PersonRecordsController],
  providers: [
    UsersService,
    AdminUsersService,
    FirstAdminService,
    NewAccounts,
    Deactivation,
    AccountViews,
    PersonRecords,
  ],
  exports: [Deactivation],
})
export class UsersModule {}
