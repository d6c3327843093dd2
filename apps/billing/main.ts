import { runService } from '@moorage/database';
import { startBilling } from './process';

void runService('billing', startBilling);
