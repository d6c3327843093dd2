import 'reflect-metadata';
import { runService } from '@moorage/runtime';
import { startBilling } from './process';

void runService('billing', startBilling);
