-- How attempts end: limits on their length, outcomes, gates, and what follows a completion.

alter table delegation
    add column acquired_at       timestamptz,
    add column outcome_exit_code integer,
    add column outcome_note      text check (char_length(outcome_note) <= 1000),
    add column outcome_at        timestamptz,
    add column outcome_reported  boolean,
    add column gate              jsonb check (jsonb_typeof(gate) = 'object'),
    add column on_completed      jsonb check (jsonb_typeof(on_completed) = 'array'),
    add column follow_ups        smallint check (follow_ups > 0),
    add column parent_id         uuid,
    add column follow_up         smallint check (follow_up >= 0),
    add constraint delegation_outcome_whole check
        ((outcome_at is null) = (outcome_exit_code is null) and (outcome_at is null) = (outcome_reported is null)),
    add constraint delegation_follow_ups_counted check ((follow_ups is null) = (on_completed is null)),
    add constraint delegation_follow_up_has_parent check (follow_up is null or parent_id is not null);

comment on column delegation.due_at is
    'When time alone would end it: the earliest of its deadline, its queue timeout, cancel_by and, until an outcome is recorded, the end of what an attempt may last. Null once final.';
comment on column delegation.acquired_at is 'When its present or last attempt began.';
comment on column delegation.outcome_reported is
    'Whether its agent has reported it completed, so that only the gate''s answer is waited for.';
comment on column delegation.on_completed is 'What is registered in the transaction that completes it.';
comment on column delegation.follow_ups is 'How many that are, so that on_completed is read only where there is something.';
comment on column delegation.follow_up is 'Which follow-up of its parent it is, from 0; null for what is none.';

-- Exactly one set of follow-ups, whoever completes the parent.
create unique index delegation_follow_up on delegation (parent_id, follow_up) where follow_up is not null;

-- Attempts that are under way get the limit that they were registered with.
update delegation d set
    acquired_at = l.acquired_at,
    due_at = case when l.stuck then d.due_at
                  else least(d.due_at, l.acquired_at + d.max_running_us * interval '1 microsecond') end
from lease l where l.delegation_id = d.id;

alter table lease add column outcome_at timestamptz;

comment on column lease.outcome_at is
    'When the outcome of this attempt was recorded: finalization protects it from what is said of silence.';

alter table queue add column gate jsonb check (jsonb_typeof(gate) = 'object');
