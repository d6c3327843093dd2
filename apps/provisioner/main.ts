import 'reflect-metadata';
import { runService } from '@moorage/runtime';
import { startProvisioner } from './process';

void runService('provisioner', startProvisioner);
