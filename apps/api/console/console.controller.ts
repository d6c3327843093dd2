import { CONSOLE_CALLS, type ConsoleSettings } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { Serve } from '../http/serve';
import { ApiSettings } from '../settings';
import { consoleSettings } from './console-settings';

@Controller()
export class ConsoleController {
  private readonly shown: ConsoleSettings;

  constructor(settings: ApiSettings, promises: BackupPromises) {
    this.shown = consoleSettings(settings, promises.modes());
  }

  @Serve(CONSOLE_CALLS.settings)
  settings() {
    return this.shown;
  }
}
