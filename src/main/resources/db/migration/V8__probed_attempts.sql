-- Whom there is a way to ask: found without a look at the leases of all the others.
create index attempt_probed on attempt (delegation_id) where probe is not null;
