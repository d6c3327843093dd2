import { ACCOUNT_CALLS, ACTIVITY_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Activity } from './activity.service';
import { Credentials } from './credentials.service';
import { DeleteAccount } from './delete-account.use-case';
import { Profile } from './profile.service';
import { Reauthentication } from './reauthentication.service';
import { SecondFactor } from './second-factor.service';

@Controller()
export class AccountController {
  constructor(
    private readonly activity: Activity,
    private readonly profile: Profile,
    private readonly credentials: Credentials,
    private readonly secondFactor: SecondFactor,
    private readonly reauthentication: Reauthentication,
    private readonly deletion: DeleteAccount,
  ) {}

  @Serve(ACCOUNT_CALLS.setLanguage)
  setLanguage({ caller, body }: CallInput<typeof ACCOUNT_CALLS.setLanguage>) {
    return this.profile.setLanguage(caller, body.language);
  }

  @Serve(ACCOUNT_CALLS.changeUsername)
  changeUsername({ caller, body }: CallInput<typeof ACCOUNT_CALLS.changeUsername>) {
    return this.profile.changeUsername(caller, body.username);
  }

  @Serve(ACCOUNT_CALLS.changeEmail)
  changeEmail({ caller, body }: CallInput<typeof ACCOUNT_CALLS.changeEmail>) {
    return this.profile.changeEmail(caller, body.email);
  }

  @Serve(ACCOUNT_CALLS.cancelEmailChange)
  cancelEmailChange({ caller }: CallInput<typeof ACCOUNT_CALLS.cancelEmailChange>) {
    return this.profile.cancelEmailChange(caller);
  }

  @Serve(ACCOUNT_CALLS.changePassword)
  changePassword({ caller, body }: CallInput<typeof ACCOUNT_CALLS.changePassword>) {
    return this.profile.changePassword(caller, body);
  }

  @Serve(ACCOUNT_CALLS.reauthenticate)
  reauthenticate({ caller, body }: CallInput<typeof ACCOUNT_CALLS.reauthenticate>) {
    return this.reauthentication.run(caller, body);
  }

  @Serve(ACCOUNT_CALLS.listSessions)
  listSessions({ caller }: CallInput<typeof ACCOUNT_CALLS.listSessions>) {
    return this.credentials.listSessions(caller);
  }

  @Serve(ACCOUNT_CALLS.endSession)
  endSession({ caller, params }: CallInput<typeof ACCOUNT_CALLS.endSession>) {
    return this.credentials.endSession(caller, params.id);
  }

  @Serve(ACCOUNT_CALLS.endOtherSessions)
  endOtherSessions({ caller }: CallInput<typeof ACCOUNT_CALLS.endOtherSessions>) {
    return this.credentials.endOtherSessions(caller);
  }

  @Serve(ACCOUNT_CALLS.listSignIns)
  listSignIns({ caller }: CallInput<typeof ACCOUNT_CALLS.listSignIns>) {
    return this.credentials.listSignIns(caller);
  }

  @Serve(ACCOUNT_CALLS.listApiTokens)
  listApiTokens({ caller }: CallInput<typeof ACCOUNT_CALLS.listApiTokens>) {
    return this.credentials.listApiTokens(caller);
  }

  @Serve(ACCOUNT_CALLS.makeApiToken)
  makeApiToken({ caller, body }: CallInput<typeof ACCOUNT_CALLS.makeApiToken>) {
    return this.credentials.makeApiToken(caller, body);
  }

  @Serve(ACCOUNT_CALLS.revokeApiToken)
  revokeApiToken({ caller, params }: CallInput<typeof ACCOUNT_CALLS.revokeApiToken>) {
    return this.credentials.revokeApiToken(caller, params.id);
  }

  @Serve(ACCOUNT_CALLS.twoFactor)
  twoFactor({ caller }: CallInput<typeof ACCOUNT_CALLS.twoFactor>) {
    return this.secondFactor.read(caller);
  }

  @Serve(ACCOUNT_CALLS.beginTwoFactor)
  beginTwoFactor({ caller }: CallInput<typeof ACCOUNT_CALLS.beginTwoFactor>) {
    return this.secondFactor.begin(caller);
  }

  @Serve(ACCOUNT_CALLS.confirmTwoFactor)
  confirmTwoFactor({ caller, body }: CallInput<typeof ACCOUNT_CALLS.confirmTwoFactor>) {
    return this.secondFactor.confirm(caller, body.otp);
  }

  @Serve(ACCOUNT_CALLS.renewRecoveryCodes)
  renewRecoveryCodes({ caller }: CallInput<typeof ACCOUNT_CALLS.renewRecoveryCodes>) {
    return this.secondFactor.renewRecoveryCodes(caller);
  }

  @Serve(ACCOUNT_CALLS.endTwoFactor)
  endTwoFactor({ caller }: CallInput<typeof ACCOUNT_CALLS.endTwoFactor>) {
    return this.secondFactor.end(caller);
  }

  @Serve(ACTIVITY_CALLS.list)
  listActivity({ caller, query }: CallInput<typeof ACTIVITY_CALLS.list>) {
    return this.activity.list(caller, query);
  }

  @Serve(ACCOUNT_CALLS.notifications)
  notifications({ caller }: CallInput<typeof ACCOUNT_CALLS.notifications>) {
    return this.profile.notifications(caller);
  }

  @Serve(ACCOUNT_CALLS.setNotification)
  setNotification({ caller, body }: CallInput<typeof ACCOUNT_CALLS.setNotification>) {
    return this.profile.setNotification(caller, body);
  }

  @Serve(ACCOUNT_CALLS.deletionCheck)
  deletionCheck({ caller }: CallInput<typeof ACCOUNT_CALLS.deletionCheck>) {
    return this.deletion.check(caller);
  }

  @Serve(ACCOUNT_CALLS.deleteAccount)
  deleteAccount({ caller }: CallInput<typeof ACCOUNT_CALLS.deleteAccount>) {
    return this.deletion.run(caller);
  }
}
