import { runService } from '@moorage/database';
import { startApi } from './process';

void runService('api', startApi, ({ url }) => ({ url }));
