from hypothesis import HealthCheck, settings

# a busy machine is not a failing test
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
