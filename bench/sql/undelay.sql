-- Takes the delayed rows away again.
\set ON_ERROR_STOP on
set synchronous_commit = off;
delete from delegation where id > bench.id(2000000000);
vacuum (analyze) delegation;
checkpoint;
