import 'reflect-metadata';
import { runService } from '@moorage/runtime';
import { startApi } from './process';

void runService('api', startApi, ({ url }) => ({ url }));
