import { runService } from '@moorage/database';
import { startBilling } from './process';

await runService('billing', startBilling);
