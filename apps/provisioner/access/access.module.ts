import { Module } from '@nestjs/common';
import { ProvisionerServersModule } from '../servers/servers.module';
import { ApplySshKeys } from './apply-ssh-keys.use-case';
import { CustomerAccess } from './customer-access.service';

@Module({
  imports: [ProvisionerServersModule],
  providers: [ApplySshKeys, CustomerAccess],
  exports: [CustomerAccess],
})
export class ProvisionerAccessModule {}
