import { runService } from '@moorage/database';
import { startProvisioner } from './process';

await runService('provisioner', startProvisioner);
