import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { AdminUsersController } from './admin-users.controller';
import { AdminUsersService } from './admin-users.service';
import { FirstAdminService } from './first-admin.service';
import { NewAccounts } from './new-accounts';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [AuthModule],
  controllers: [UsersController, AdminUsersController],
  providers: [UsersService, AdminUsersService, FirstAdminService, NewAccounts],
})
export class UsersModule {}
