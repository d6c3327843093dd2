import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module';
import { LiveModule } from '../live/live.module';
import { Conversations } from './conversations.service';
import { ConversationsController } from './conversations.controller';
import { DueWarnings } from './due-warnings.service';
import { IncidentConversations } from './incident-conversations.service';
import { Inbox } from './inbox.service';
import { InboxController } from './inbox.controller';
import { SupportContexts } from './support-contexts.service';
import { SupportController } from './support.controller';
import { SupportHints } from './support-hints.service';
import { SupportMails } from './support-mails.service';
import { SupportSchedule } from './support.schedule';
import { SupportService } from './support.service';

/** Conversations with support, for customers and for administrators who reply. */
@Module({
  imports: [DeploymentsModule, LiveModule],
  controllers: [SupportController, ConversationsController, InboxController],
  providers: [
    SupportService,
    Conversations,
    Inbox,
    IncidentConversations,
    DueWarnings,
    SupportContexts,
    SupportHints,
    SupportMails,
    SupportSchedule,
  ],
})
export class SupportModule {}
