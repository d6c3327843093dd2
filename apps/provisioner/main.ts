import { runService } from '@moorage/database';
import { startProvisioner } from './process';

void runService('provisioner', startProvisioner);
