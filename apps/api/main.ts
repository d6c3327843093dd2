import { runService } from '@moorage/database';
import { startApi } from './process';

await runService('api', startApi, ({ url }) => ({ url }));
