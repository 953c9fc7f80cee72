"""How fast the service is as it is shipped, alone or beside another checkout."""
