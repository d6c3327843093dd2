import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module';
import { SshKeysController } from './ssh-keys.controller';
import { SshKeys } from './ssh-keys.service';

/** The SSH keys with which customers log in to the servers of their deployments. The provisioner applies them. */
@Module({ imports: [DeploymentsModule], controllers: [SshKeysController], providers: [SshKeys] })
export class SshKeysModule {}
